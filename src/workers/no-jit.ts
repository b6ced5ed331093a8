import { z } from 'zod';

// Imported before everything else: zod decides when a schema is made whether it may make code from text, and the content
// security policy allows none.
z.config({ jitless: true });
