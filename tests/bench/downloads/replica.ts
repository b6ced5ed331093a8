export { ColumnsEngine } from '../engines/columns.ts';
