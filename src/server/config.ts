import type { RuntimeConfig } from '#contract/system.ts';

/** The OpenID provider one may sign in with, and what we are to it. */
export interface OauthConfig {
  issuer: URL;
  clientId: string;
  clientSecret: string;
  /** The absolute address of `/oauth/callback`, as the provider knows it. */
  redirectUri: URL;
}

/** How one server is set up; read from the environment by `main.ts` alone. */
export interface ServerConfig {
  /** Origins other than our own that may call the API with credentials. */
  corsOrigins: readonly string[];
  /** Proxies before the server, whose word is taken for the address a request comes from; of others it is not. */
  trustedProxies: readonly string[];
  /** Whether people reach the server over TLS: cookies become `Secure` and the browser is told to stay on it. */
  isSecure: boolean;
  /** What `GET /config.json` answers. */
  runtime: RuntimeConfig;
  /** Null: passwords only. */
  oauth: OauthConfig | null;
  /** Folder of the built PWA; without one only the API is served. */
  clientFolder: string | null;
  /** Sign-in attempts allowed per minute for one address and e-mail. */
  signInsPerMinute: number;
  /** The version the diagnosis reports. */
  version: string;
}
