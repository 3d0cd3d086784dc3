import { expect, test } from 'vitest'

import { rankMatch, sortByMatch } from './match-words.ts'

test('whole names come before whole words, starts of words and parts of words', () => {
  const names = ['cicada', 'Adapter', 'Ada Admin', 'be26adad90a1', 'ada', 'x~ada #1', 'unrelated']
  const sorted = sortByMatch(names, 'Ada', (name) => name)
  expect(sorted).toEqual(['ada', 'Ada Admin', 'x~ada #1', 'Adapter', 'cicada', 'be26adad90a1', 'unrelated'])
})

test('a later whole word counts more than an earlier part', () => {
  expect(rankMatch('cicada ada', 'ada')).toBe(rankMatch('ada cicada', 'ada'))
  expect(rankMatch('Ирина Петрова', 'петр')).toBe(rankMatch('Peter Pan', 'pet'))
})

test('accents and their encoding make no difference', () => {
  for (const name of ['José Núñez', 'Jose\u0301 Nu\u0301n\u0303ez', 'JOSE NUNEZ'])
    expect(['jose', 'josé', 'núñ', 'ose'].map((typed) => rankMatch(name, typed))).toEqual([1, 1, 2, 3])
})

test('nothing typed matches no name', () => {
  expect(rankMatch('Ada', '')).toBe(rankMatch('Ada', 'zzz'))
})
