import { ColumnsEngine } from '../engines/columns.ts';
import { serve } from './serve.ts';

serve(new ColumnsEngine());
