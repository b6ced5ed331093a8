export { tsvOf } from '#domain/csv.ts';
