import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The code of the product without its comments, by file; a text that breaks over lines is one line. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => join('src', file))
  .map((file) => ({ file, code: withoutComments(readFileSync(file, 'utf8')).replace(/\s+/g, ' ') }));

function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** A text as a pattern: what stands in `{}` may be anything short. */
export function patternOf(text: string): string {
  return text
    .split(/\{[a-z]+\}/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
    .join('.{1,60}?');
}

/** Files that say exactly a text, as a literal or between tags. */
export function filesSaying(text: string, under = 'src/'): string[] {
  const whole = new RegExp(`(['"\`]|[>}] ?)${patternOf(text)}(['"\`]| ?[<{])`);
  return sources.filter(({ file, code }) => file.startsWith(under) && whole.test(code)).map(({ file }) => file);
}
