// Runs before every module: zod decides when a schema is made whether it may make code from text, and the content
// security policy allows none. Modules cannot come early enough, since bundling puts shared schemas before the page's entry.
globalThis.__zod_globalConfig = { jitless: true };
