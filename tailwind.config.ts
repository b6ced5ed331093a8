import type { Config } from 'tailwindcss';
import plugin from 'tailwindcss/plugin';

/** Every colour of the app, by meaning, in both themes. The dark theme is drawn, not inverted. */
export const palette = {
  light: {
    primary: '#4bb3fd',
    'on-primary': '#182c4a',
    secondary: '#182c4a',
    menu: '#182c4a',
    'menu-hover': '#23395b',
    'menu-active': '#2c4870',
    'menu-ink': '#ffffff',
    'menu-muted': '#b9c6da',
    canvas: '#f5f7fa',
    surface: '#ffffff',
    raised: '#ffffff',
    subtle: '#f1f4f8',
    hover: '#f4f7fb',
    selected: '#e0f1fe',
    line: '#e4e8ef',
    'line-strong': '#c5cdd9',
    control: '#7d899b',
    ink: '#16202f',
    soft: '#3c495c',
    muted: '#566275',
    link: '#0a5fb4',
    ok: '#146c3a',
    'ok-soft': '#e3f4e9',
    warn: '#7c4a03',
    'warn-soft': '#fdf0d9',
    bad: '#b02a1e',
    'bad-soft': '#fdebe9',
    'focus-edge': '#182c4a',
    dev: '#1b7f3b',
    'on-dev': '#ffffff',
    qa: '#f5c518',
    'on-qa': '#182c4a',
    range: '#cfe8fd',
    'asset-orange': '#9a4a00',
    'asset-gold': '#7a5a00',
    'asset-olive': '#596400',
    'asset-green': '#1d6b2c',
    'asset-teal': '#006a5c',
    'asset-cyan': '#00667d',
    'asset-blue': '#1f58c4',
    'asset-indigo': '#4a4bc0',
    'asset-violet': '#7438bd',
    'asset-magenta': '#a3219a',
    'asset-rose': '#b0204f',
    'asset-brown': '#7d4a32',
    'asset-slate': '#4b5b73',
  },
  dark: {
    primary: '#4bb3fd',
    'on-primary': '#182c4a',
    secondary: '#182c4a',
    menu: '#182c4a',
    'menu-hover': '#23395b',
    'menu-active': '#2c4870',
    'menu-ink': '#ffffff',
    'menu-muted': '#b9c6da',
    canvas: '#0d141e',
    surface: '#121b27',
    raised: '#1a2534',
    subtle: '#172130',
    hover: '#1b2737',
    selected: '#1c3a57',
    line: '#243145',
    'line-strong': '#3a4a61',
    control: '#7486a0',
    ink: '#e7edf5',
    soft: '#c3cddb',
    muted: '#9dabbe',
    link: '#7cc5ff',
    ok: '#74d39b',
    'ok-soft': '#143024',
    warn: '#f2c069',
    'warn-soft': '#362a14',
    bad: '#ff9d92',
    'bad-soft': '#3d1f1f',
    'focus-edge': '#0d141e',
    dev: '#1b7f3b',
    'on-dev': '#ffffff',
    qa: '#f5c518',
    'on-qa': '#182c4a',
    range: '#1c4061',
    'asset-orange': '#ffb066',
    'asset-gold': '#e8c547',
    'asset-olive': '#c3cf63',
    'asset-green': '#86d992',
    'asset-teal': '#5fd6c2',
    'asset-cyan': '#64cfea',
    'asset-blue': '#93bbff',
    'asset-indigo': '#b0b3ff',
    'asset-violet': '#cfa9ff',
    'asset-magenta': '#f09be8',
    'asset-rose': '#ff9db8',
    'asset-brown': '#dcb096',
    'asset-slate': '#b3c0d2',
  },
} as const;

export type Colour = keyof (typeof palette)['light'];

const pageSurfaces = ['canvas', 'surface', 'raised', 'subtle', 'hover', 'selected', 'range'] as const satisfies readonly Colour[];
const pageTexts = ['ink', 'soft', 'muted', 'link', 'ok', 'warn', 'bad'] as const satisfies readonly Colour[];

/** One colour per digital asset, as a dot beside its ticker or as the ticker's own. */
const assetTexts = (Object.keys(palette.light) as Colour[]).filter((name) => name.startsWith('asset-'));

/** Every text colour with each background it is set on; a test asserts 4.5:1 for all, in both themes. */
export const readablePairs: readonly (readonly [text: Colour, background: Colour])[] = [
  ...[...pageTexts, ...assetTexts].flatMap((text) => pageSurfaces.map((background): readonly [Colour, Colour] => [text, background])),
  ['on-primary', 'primary'],
  ['ok', 'ok-soft'],
  ['warn', 'warn-soft'],
  ['bad', 'bad-soft'],
  ['ink', 'ok-soft'],
  ['ink', 'warn-soft'],
  ['ink', 'bad-soft'],
  ['menu-ink', 'menu'],
  ['menu-ink', 'menu-hover'],
  ['menu-ink', 'menu-active'],
  ['menu-muted', 'menu'],
  ['menu-muted', 'menu-hover'],
  ['on-dev', 'dev'],
  ['on-qa', 'qa'],
];

/** The specification's breakpoints, in pixels. */
export const breakpoints = { sm: 600, md: 900, lg: 1200, xl: 1536 } as const;

function variables(theme: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(theme).map(([name, value]) => [`--${name}`, value]));
}

const colours = Object.fromEntries(Object.keys(palette.light).map((name) => [name, `var(--${name})`]));

export default {
  content: ['./index.html', './src/app/**/*.{ts,tsx}'],
  darkMode: ['variant', '&:where(body.dark, body.dark *)'],
  theme: {
    colors: { transparent: 'transparent', current: 'currentColor', inherit: 'inherit', ...colours },
    screens: Object.fromEntries(Object.entries(breakpoints).map(([name, px]) => [name, `${px}px`])),
    borderRadius: { none: '0', sm: '4px', DEFAULT: '8px', full: '9999px' },
    boxShadow: { none: 'none', pop: '0 4px 16px rgb(13 24 42 / 0.16), 0 0 0 1px var(--line)' },
    fontFamily: {
      sans: ['system-ui', '-apple-system', 'Segoe UI', 'Roboto', 'Helvetica Neue', 'Noto Sans', 'Liberation Sans', 'sans-serif'],
      mono: ['ui-monospace', 'SFMono-Regular', 'Menlo', 'Consolas', 'Liberation Mono', 'monospace'],
    },
    fontSize: {
      mini: ['11px', '16px'],
      small: ['12px', '16px'],
      grid: ['13px', '20px'],
      base: ['14px', '20px'],
      large: ['16px', '24px'],
      title: ['20px', '28px'],
    },
  },
  // paper is light, whatever the screen is
  plugins: [plugin((api) => api.addBase({ ':root': variables(palette.light), '@media screen': { 'body.dark': variables(palette.dark) } }))],
} satisfies Config;
