import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };

/**
 * Serves a folder on this machine. The page is cross-origin isolated, so that its clock counts in steps of 5 us and its memory can be asked
 * for, and files may be kept by the browser, as a product's are.
 * @param port 0 for any; the same port again finds what the page stored before.
 */
export async function serveFolder(folder: string, port: number): Promise<{ server: Server; url: string; port: number }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-length': statSync(file).size,
      'cache-control': 'max-age=31536000, immutable',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;
  return { server, url: `http://localhost:${bound}`, port: bound };
}
