import { expect, test } from 'vitest'

import { rankMatches } from './rank-matches.ts'

const found = (before: string, match: string, after: string) => ({ before, match, after })

test('a whole word in the case that was typed comes first, and a part of a longer word last', () => {
  const [part, otherCase, exact, word] = [
    found('de', 'port', 'ed'),
    found('ex', 'Port', 's'),
    found('the ', 'port', ' 80'),
    found('The ', 'Port', '.'),
  ]
  expect(rankMatches([otherCase, part, word, exact], 'port')).toEqual([exact, word, part, otherCase])
})

test('equal matches stay in the order of time, and letters of any script make a word', () => {
  const [first, second, inside] = [found('(', 'порт', ')'), found('', 'порт', ''), found('им', 'порт', '')]
  expect(rankMatches([inside, first, second], 'порт')).toEqual([first, second, inside])
})
