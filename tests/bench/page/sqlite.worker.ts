import { SqliteEngine } from '../engines/sqlite.ts';
import { serve } from './serve.ts';

serve(new SqliteEngine());
