export { desc, op, table } from 'arquero';
