import { DexieEngine } from '../engines/dexie.ts';
import { serve } from './serve.ts';

serve(new DexieEngine());
