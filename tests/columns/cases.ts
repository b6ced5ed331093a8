/** How many cases each property is tried on: 10,000 by `npm run test:columns`. */
export const cases = Number(process.env['CASES'] ?? 100);

/** The options of a property test: longer for more cases. */
export const patient = { timeout: 30_000 + cases * 300 };
