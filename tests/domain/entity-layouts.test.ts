import { describe, expect, test } from 'vitest';
import { entityFieldsSchema } from '#contract/entities.ts';
import { entityLabels } from '#app/screens/entities/entity-labels.ts';
import { entityFormFields, entityLayouts, platformOf } from '#domain/entity-layouts.ts';

/** What each layout asks for, in the order of the form, reviewed: a field and its label, then Default, AT Web, Titan. */
const reviewed = [
  ['entity_name', 'Entity Name', 'yes', 'yes', 'yes'],
  ['entity_type_id', 'Entity Type', 'yes', 'yes', 'yes'],
  ['accounting_system_id', 'Accounting System', 'yes', 'yes', 'yes'],
  ['allocation_method_id', 'Allocation Method', '-', '-', 'yes'],
  ['portfolio_id', 'Broker Account ID', '-', 'yes', '-'],
  ['fund_id', 'Fund ID', '-', '-', 'yes'],
  ['city', 'City', 'yes', 'yes', 'yes'],
  ['state', 'State', 'yes', 'yes', 'yes'],
  ['zip_code', 'Zip Code', 'yes', 'yes', 'yes'],
  ['country', 'Country', 'yes', 'yes', 'yes'],
  ['active', 'Status', 'yes', 'yes', 'yes'],
];

describe('the layouts of the form of an entity', () => {
  test('[PL31] each asks for the fields of the reviewed table, in its order and under its labels', () => {
    const word = (isAsked: boolean) => (isAsked ? 'yes' : '-');
    const table = entityFormFields.map((field) => {
      const { Default, AT_Web, Titan } = entityLayouts[field];
      return [field, entityLabels[field], word(Default), word(AT_Web), word(Titan)];
    });
    expect(table).toEqual(reviewed);
    expect(Object.keys(entityLayouts)).toEqual([...entityFormFields]);
  });

  test('[PL31] every field that is sent is asked for by some layout, and none else', () => {
    expect([...entityFormFields].sort()).toEqual(Object.keys(entityFieldsSchema.shape).sort());
  });

  test.each([
    ['AT Web', 'AT_Web'],
    ['at_web', 'AT_Web'],
    ['AT-WEB', 'AT_Web'],
    ['Titan', 'Titan'],
    [' titan ', 'Titan'],
    ['Default', 'Default'],
    ['Titanium', 'Default'],
    [undefined, 'Default'],
  ])('[PL32] the accounting system %s has the layout %s', (name, platform) => {
    expect(platformOf(name)).toBe(platform);
  });
});
