import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '#contract/errors.ts';

/** A form with its one file, whole. */
export interface Upload {
  name: string;
  bytes: Uint8Array;
  /** What the form says beside the file. */
  fields: Readonly<Record<string, string>>;
  /** Tells two files apart. */
  fingerprint: string;
}

/** @returns the refusal of a file, in words. */
export function refusedFile(msg: string): ApiError {
  return new ApiError({ code: 'invalid', detail: [{ loc: ['body', 'file'], msg, type: 'unreadable_file' }] });
}

/** The one file of an upload, whole, of at most so many bytes. An upload that broke off is refused and nothing waits for the rest. */
export async function uploadOf(request: FastifyRequest, limitBytes: number): Promise<Upload> {
  if (!request.isMultipart())
    throw new ApiError({ code: 'unsupported', detail: 'Send the file as multipart/form-data, in a part named file' });
  const broken = 'The upload is not complete. Send the file again.';
  // a client that has left sends no further event: waiting for one would be for ever
  if (request.raw.destroyed) throw refusedFile(broken);
  let found: { name: string; bytes: Uint8Array } | undefined;
  const fields: Record<string, string> = {};
  try {
    for await (const part of request.parts({ limits: { fileSize: limitBytes } })) {
      if (part.type === 'field') {
        fields[part.fieldname] = String(part.value);
        continue;
      }
      if (part.fieldname !== 'file') throw refusedFile('Send the file in a part named file');
      const name = (part.filename ?? 'file').replace(/\p{Cc}/gu, '').slice(0, 200);
      found = { name, bytes: await part.toBuffer() };
    }
  } catch (error) {
    if (error instanceof ApiError) throw error;
    const { code } = error as { code?: string };
    if (code === 'FST_FILES_LIMIT') throw refusedFile('Send one file alone');
    if (code === 'FST_REQ_FILE_TOO_LARGE')
      throw new ApiError({ code: 'too_large', detail: `The file is too large. The limit is ${Math.round(limitBytes / 1e6)} MB.` });
    throw refusedFile(broken);
  }
  if (!found) throw refusedFile('Choose a file');
  return { ...found, fields, fingerprint: createHash('sha256').update(found.name).update('\0').update(found.bytes).digest('hex') };
}
