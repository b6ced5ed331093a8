/** How many cases each property is tried on: `CASES=10000 npx vitest run tests/columns` for a long night. */
export const cases = Number(process.env['CASES'] ?? 100);

/** The options of a property test: longer for more cases. */
export const patient = { timeout: 30_000 + cases * 100 };
