import { expect, test } from 'vitest';
import { Breaker } from '#workers/breaker.ts';

function broken(now: number): Breaker {
  const breaker = new Breaker();
  for (let fails = 0; fails < 5; fails += 1) {
    expect(breaker.isClosed('accounts', now)).toBe(true);
    breaker.failed('accounts', now);
  }
  return breaker;
}

test('[SY20] a list that failed five times in a row rests, longer each time; then one question decides', () => {
  const breaker = broken(0);
  expect([breaker.isClosed('accounts', 14_999), breaker.isClosed('transactions', 0)]).toEqual([false, true]);
  expect(breaker.isClosed('accounts', 15_000)).toBe(true);
  breaker.ask('accounts');
  expect(breaker.isClosed('accounts', 15_000)).toBe(false);
  breaker.failed('accounts', 15_000);
  expect([breaker.isClosed('accounts', 44_999), breaker.isClosed('accounts', 45_000)]).toEqual([false, true]);
  breaker.ask('accounts');
  breaker.answered('accounts');
  expect(breaker.isClosed('accounts', 45_000)).toBe(true);
  breaker.failed('accounts', 45_000);
  expect(breaker.isClosed('accounts', 45_000)).toBe(true);
});

test('[SY20] a question to which no answer came decides nothing, and a clock put back makes nobody wait for ever', () => {
  const breaker = broken(1_000_000_000);
  expect(breaker.isClosed('accounts', 1_000_000)).toBe(true);
  breaker.ask('accounts');
  breaker.released('accounts');
  expect(breaker.isClosed('accounts', 1_000_000)).toBe(true);
  expect(breaker.isClosed('accounts', 1_000_000_001)).toBe(false);
  breaker.forget();
  expect(breaker.isClosed('accounts', 1_000_000_001)).toBe(true);
});

test('[SY49] lists that failed while nothing was answered are asked for once something is: it was the server; one that fails on is left alone', () => {
  const breaker = broken(0);
  breaker.heard();
  expect([breaker.isOpen, breaker.isClosed('accounts', 0)]).toEqual([true, true]);
  breaker.ask('accounts');
  breaker.failed('accounts', 0);
  // something else is answered all the same
  breaker.answered('transactions');
  expect([breaker.isClosed('accounts', 29_999), breaker.isClosed('accounts', 30_000)]).toEqual([false, true]);
  // nobody wants it any more
  breaker.keepOnly(new Set(['transactions']));
  expect([breaker.isOpen, breaker.isClosed('accounts', 0)]).toEqual([false, true]);
});

test('[SY66] a list with which the server asks to wait rests for so long and a little more, whatever else is answered, that others are asked for first', () => {
  const breaker = new Breaker();
  breaker.failed('accounts', 0, 600_000);
  breaker.answered('transactions');
  expect([breaker.isClosed('accounts', 614_999), breaker.isClosed('accounts', 615_000)]).toEqual([false, true]);
  // it was written by a clock since put right
  expect(breaker.isClosed('accounts', -1_000)).toBe(true);
});
