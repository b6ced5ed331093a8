/** A library in what the browser loads. */
export interface Library {
  name: string;
  licence: 'MIT' | 'Apache-2.0';
  /** The first line of its own notice. */
  copyright: string;
}

const meta = 'Meta Platforms, Inc. and affiliates';
const linsley = '2021-present Tanner Linsley';
const luo = '2019-present Beier(Bill) Luo';
const google = '2018 Google LLC';

/** Every library the app is made of, by name. */
export const libraries: readonly Library[] = [
  { name: '@date-fns/utc', licence: 'MIT', copyright: '2022 Sasha Koss' },
  { name: '@headlessui/react', licence: 'MIT', copyright: '2020 Tailwind Labs' },
  { name: '@hookform/resolvers', licence: 'MIT', copyright: luo },
  { name: '@tanstack/query-persist-client-core', licence: 'MIT', copyright: linsley },
  { name: '@tanstack/react-query', licence: 'MIT', copyright: linsley },
  { name: '@tanstack/react-router', licence: 'MIT', copyright: linsley },
  { name: 'bignumber.js', licence: 'MIT', copyright: 'Michael Mclaughlin' },
  { name: 'comlink', licence: 'Apache-2.0', copyright: '2019 Google LLC' },
  { name: 'date-fns', licence: 'MIT', copyright: '2021 Sasha Koss and Lesha Koss' },
  { name: 'dexie', licence: 'Apache-2.0', copyright: 'David Fahlander' },
  { name: 'dexie-react-hooks', licence: 'Apache-2.0', copyright: 'David Fahlander' },
  { name: 'ethers', licence: 'MIT', copyright: '2016-2025 Richard Moore' },
  { name: 'fflate', licence: 'MIT', copyright: '2026 Arjun Barrett' },
  { name: 'lightweight-charts', licence: 'Apache-2.0', copyright: '2023 TradingView, Inc.' },
  { name: 'react', licence: 'MIT', copyright: meta },
  { name: 'react-dom', licence: 'MIT', copyright: meta },
  { name: 'react-hook-form', licence: 'MIT', copyright: luo },
  { name: 'tailwindcss', licence: 'MIT', copyright: 'Tailwind Labs, Inc.' },
  { name: 'uuid', licence: 'MIT', copyright: '2010-2020 Robert Kieffer and other contributors' },
  { name: 'workbox-precaching', licence: 'MIT', copyright: google },
  { name: 'workbox-routing', licence: 'MIT', copyright: google },
  { name: 'workbox-window', licence: 'MIT', copyright: google },
  { name: 'zod', licence: 'MIT', copyright: '2025 Colin McDonnell' },
];

/** What the MIT licence says after the notice of whose it is. */
export const mitText = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;
