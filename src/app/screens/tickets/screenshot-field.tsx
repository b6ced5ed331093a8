import { useId } from 'react';
import { fileSizeText } from '#domain/byte-text.ts';
import { Button } from '#app/ui/button.tsx';
import { FieldError, fileLook } from '#app/ui/field.tsx';
import { previewMost, type Screenshot } from './screenshot.ts';
import { useImageUrl } from './use-image-url.ts';

function Preview({ screenshot, onRemove }: { screenshot: Screenshot; onRemove: (() => void) | null }) {
  const url = useImageUrl(screenshot);
  return (
    <div className="flex flex-col gap-2 rounded border border-line p-2">
      <div className="flex items-start gap-3">
        <img
          src={url}
          alt="The screenshot that is sent with the ticket"
          style={{ maxHeight: previewMost.height, maxWidth: previewMost.width }}
          className="rounded-sm border border-line bg-subtle object-contain"
        />
        <div className="flex min-w-0 grow flex-col items-start gap-2 text-grid">
          <p className="max-w-full break-words">
            <bdi>{screenshot.name}</bdi> <span className="text-muted">{fileSizeText(screenshot.bytes.length)}</span>
          </p>
          {onRemove ? (
            <Button size="small" aria-label={`Remove ${screenshot.name}`} onClick={onRemove}>
              Remove
            </Button>
          ) : null}
        </div>
      </div>
      {onRemove ? <p className="text-small text-muted">It is sent as it is. Check that it shows nothing support should not see.</p> : null}
    </div>
  );
}

interface ScreenshotFieldProps {
  screenshot: Screenshot | null;
  error: string | null;
  onChoose: (file: File) => void;
  /** Null once it was submitted. */
  onRemove: (() => void) | null;
}

/** One image, chosen or pasted, with its preview; it can be taken away again. */
export function ScreenshotField({ screenshot, error, onChoose, onRemove }: ScreenshotFieldProps) {
  const id = useId();
  if (screenshot)
    return (
      <div className="flex flex-col gap-1">
        <p className="text-grid font-medium text-soft">Screenshot</p>
        <Preview screenshot={screenshot} onRemove={onRemove} />
      </div>
    );
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-grid font-medium text-soft">
        Screenshot (PNG or JPEG, up to 10 MB; optional)
      </label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        className={fileLook}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // the same file chosen again is told again
          target.value = '';
          if (file) onChoose(file);
        }}
      />
      <FieldError id={`${id}-error`} text={error ?? undefined} />
    </div>
  );
}
