export { AsyncDuckDB, VoidLogger } from '@duckdb/duckdb-wasm';
