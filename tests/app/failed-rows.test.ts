import { expect, test } from 'vitest';
import { failedRowsCsv, failedRowsWords } from '#app/screens/entities/failed-rows.ts';

const failure = (row: number) => ({ row, reason: `Amount '=${row}' is not a number`, text: `=${row},BTC` });

test('[RI17] the saved file has every failed row, or says which', () => {
  const failures = Array.from({ length: 1_500 }, (_, index) => failure(index + 2));
  expect(failedRowsCsv({ failures }).trim().split('\r\n')).toHaveLength(1_501);
  expect(failedRowsWords({ failed: 1_500, failures, file_name: 'march' })).toEqual({
    save: 'Save failed rows',
    fileName: 'failed rows of march.csv',
    missing: null,
  });
  expect(failedRowsWords({ failed: 1_501, failures, file_name: 'march' })).toEqual({
    save: 'Save the first 1,500 failed rows',
    fileName: 'first 1,500 failed rows of march.csv',
    missing: '1 more failed row is not in the saved file: mend these and import the file again.',
  });
});
