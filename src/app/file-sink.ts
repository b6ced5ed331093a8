/** Where a file goes while it is made. */
export interface FileSink {
  write: (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;
  /** Only now is there a file. */
  close: () => Promise<void>;
  /** Leaves nothing behind. */
  abort: () => Promise<void>;
}

interface SaveTarget {
  name: string;
  type: string;
}

// not in TypeScript's DOM types; Chromium has it
type SavePicker = (options: {
  suggestedName: string;
  types: { accept: Record<string, string[]> }[];
}) => Promise<FileSystemFileHandle & { remove?: () => Promise<void> }>;

/** A file that is written to disk as it comes; the browser puts it in place only when it is whole. */
async function pickedFile(pick: SavePicker, { name, type }: SaveTarget): Promise<FileSink> {
  const handle = await pick({ suggestedName: name, types: [{ accept: { [type]: [name.slice(name.lastIndexOf('.'))] } }] });
  const { size } = await handle.getFile();
  const stream = await handle.createWritable();
  return {
    write: (bytes) => stream.write(bytes),
    close: () => stream.close(),
    abort: async () => {
      await stream.abort().catch(() => undefined);
      // choosing a new name has made an empty file; one that was there before is as it was
      if (size === 0) await handle.remove?.().catch(() => undefined);
    },
  };
}

/** Parts after which the browser is given what was gathered, to keep where it likes. */
const partsPerBlob = 64;

/** A file gathered in the browser and saved as a download when it is whole. */
function gatheredFile({ name, type }: SaveTarget, save: (name: string, blob: Blob) => void): FileSink {
  let parts: BlobPart[] = [];
  return {
    write: async (bytes) => {
      parts.push(bytes);
      if (parts.length >= partsPerBlob) parts = [new Blob(parts, { type })];
    },
    close: async () => save(name, new Blob(parts, { type })),
    abort: async () => {
      parts = [];
    },
  };
}

/**
 * Asks where to save a file, where the browser can; else it becomes a download. To be called while a click is handled.
 * @returns null where the person chose no file.
 */
export async function openSink(target: SaveTarget, save: (name: string, blob: Blob) => void): Promise<FileSink | null> {
  const { showSaveFilePicker: pick } = window as { showSaveFilePicker?: SavePicker };
  if (!pick) return gatheredFile(target, save);
  try {
    return await pickedFile((options) => pick.call(window, options), target);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    if (error.name === 'AbortError') return null;
    // not allowed here, in a frame say
    if (error.name === 'SecurityError') return gatheredFile(target, save);
    throw error;
  }
}
