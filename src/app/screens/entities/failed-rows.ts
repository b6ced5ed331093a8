import type { ImportAnswer } from '#contract/raw-data.ts';
import { countWords } from '#domain/count-words.ts';
import { csvOf } from '#domain/csv.ts';

type Failed = Pick<ImportAnswer, 'failed' | 'failures' | 'file_name'>;

/** What is saved of the rows that could not be read, and what is not among them, in words; `missing` is null where all are. */
export function failedRowsWords({ failed, failures, file_name }: Failed): { save: string; fileName: string; missing: string | null } {
  const left = failed - failures.length;
  const which = left > 0 ? `first ${countWords(failures.length, 'failed row')}` : 'failed rows';
  return {
    save: left > 0 ? `Save the ${which}` : `Save ${which}`,
    fileName: `${which} of ${file_name}.csv`,
    missing:
      left > 0
        ? `${countWords(left, 'more failed row is', 'more failed rows are')} not in the saved file: mend these and import the file again.`
        : null,
  };
}

/** Those rows as a CSV file: where each stands, why it could not be read, and its text. */
export function failedRowsCsv({ failures }: Pick<Failed, 'failures'>): string {
  return csvOf([['row', 'reason', 'text'], ...failures.map(({ row, reason, text }) => [String(row), reason, text])]);
}
