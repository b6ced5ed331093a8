import { defineConfig } from 'drizzle-kit';

// biome and the linter allow no default export elsewhere; drizzle-kit asks for one
export default defineConfig({ dialect: 'postgresql', schema: './src/server/database/tables/*.ts', out: './src/server/migrations' });
