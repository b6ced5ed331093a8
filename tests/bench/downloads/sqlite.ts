export { default as sqlite3InitModule } from '@sqlite.org/sqlite-wasm';
