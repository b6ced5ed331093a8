import { ObjectsEngine } from '../engines/objects.ts';
import { serve } from './serve.ts';

serve(new ObjectsEngine());
