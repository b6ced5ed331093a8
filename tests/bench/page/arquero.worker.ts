import { ArqueroEngine } from '../engines/arquero.ts';
import { serve } from './serve.ts';

serve(new ArqueroEngine());
