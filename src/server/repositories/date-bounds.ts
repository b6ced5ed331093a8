const dayMs = 86_400_000;

/** First moment a start date means; a date alone starts its UTC day. */
export function startOf(date: string): Date {
  return new Date(date);
}

/** Last moment an end date means; a date alone includes its whole UTC day. */
export function endOf(date: string): Date {
  return date.length === 10 ? new Date(Date.parse(date) + dayMs - 1) : new Date(date);
}
