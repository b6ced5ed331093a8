export { Dexie } from 'dexie';
