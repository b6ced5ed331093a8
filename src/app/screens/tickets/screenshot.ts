import { ticketLimits, ticketMessages } from '#contract/tickets.ts';
import { type ImageKind, imageKindOf } from '#domain/image-kinds.ts';

/** A screenshot as it is shown and sent. */
export interface Screenshot {
  name: string;
  type: ImageKind;
  bytes: Uint8Array<ArrayBuffer>;
}

/** How large the preview of a screenshot is at most, in pixels. @source specification section 9 */
export const previewMost = { height: 100, width: 180 } as const;

/** Reads a chosen or pasted file. @throws in words where it is none that may be sent. */
export async function readScreenshot(file: File): Promise<Screenshot> {
  if (file.size > ticketLimits.screenshotBytes) throw new Error(ticketMessages.large);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const type = imageKindOf(bytes);
  if (type === null) throw new Error(ticketMessages.image);
  return { name: file.name.slice(0, 200), type, bytes };
}
