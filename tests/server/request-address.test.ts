import { expect, test } from 'vitest';
import { addressOf } from '#server/request-address.ts';

const of = (ip: string): string => addressOf({ ip, socket: { remoteAddress: '198.51.100.7' } });

test('[SE51] an address is one whatever port or form it comes in, and an IPv6 network is one', () => {
  expect(['192.0.2.1', '192.0.2.1:4711', '::ffff:192.0.2.1', '::FFFF:192.0.2.1', '[::ffff:192.0.2.1]:80'].map(of)).toEqual(
    Array.from({ length: 5 }, () => '192.0.2.1'),
  );
  const network = ['2001:db8::1', '[2001:DB8::2]:4711', '2001:0db8:0:0:9:8:7:6', '2001:db8:0:0::', '2001:db8::1:2:3:4'];
  expect(network.map(of)).toEqual(network.map(() => '2001:db8:0:0::/64'));
  expect(['2001:db8:0:1::1', '::1', 'fe80::1%eth0'].map(of)).toEqual(['2001:db8:0:1::/64', '0:0:0:0::/64', 'fe80:0:0:0::/64']);
  expect(['', 'unknown', '_hidden', '1.2.3', '192.0.2.1, 192.0.2.2'].map(of)).toEqual(Array.from({ length: 5 }, () => '198.51.100.7'));
});
