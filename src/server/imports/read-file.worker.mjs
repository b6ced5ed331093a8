// Node 20 reads no TypeScript, and a worker thread does not inherit the loader its parent was started with.
import { register } from 'tsx/esm/api';

register();
await import('./read-file.worker.ts');
