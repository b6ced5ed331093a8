import type { RuntimeConfig } from '#contract/system.ts';

/** How one server is set up; read from the environment by `main.ts` alone. */
export interface ServerConfig {
  /** Origins other than our own that may call the API with credentials. */
  corsOrigins: readonly string[];
  /** Whether people reach the server over TLS: cookies become `Secure` and the browser is told to stay on it. */
  isSecure: boolean;
  /** What `GET /config.json` answers. */
  runtime: RuntimeConfig;
  /** Folder of the built PWA; without one only the API is served. */
  clientFolder: string | null;
  /** Sign-in attempts allowed per minute for one address and e-mail. */
  signInsPerMinute: number;
  /** The version the diagnosis reports. */
  version: string;
}
