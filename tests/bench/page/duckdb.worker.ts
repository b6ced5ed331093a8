import { DuckdbEngine } from '../engines/duckdb.ts';
import { serve } from './serve.ts';

serve(new DuckdbEngine());
