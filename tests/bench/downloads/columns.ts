export { createTable } from '../../../src/columns/table.ts';
