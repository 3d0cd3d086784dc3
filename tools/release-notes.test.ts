import { expect, test } from 'vitest'

import { releaseNotes } from './release-notes.mjs'

const release = { version: '0.2.0', date: '2026-12-01' }

test('what was unreleased becomes the version, and its lines are the notes', () => {
  const { notes, changelog } = releaseNotes(
    '# Changelog\n\n## Unreleased\n\n- Faster.\n- Fixed.\n\n## 0.1.0\n\nFirst.\n',
    release,
  )
  expect(notes).toBe('- Faster.\n- Fixed.')
  expect(changelog).toBe(
    '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- Faster.\n- Fixed.\n\n## 0.1.0\n\nFirst.\n',
  )
})

test('the first version needs no version before it', () => {
  expect(releaseNotes('## Unreleased\n\nNew.\n', release).notes).toBe('New.')
})

test.each([
  ['# Changelog\n', 'has no heading'],
  ['## Unreleased\n\n## 0.1.0\n\nFirst.\n', 'says nothing'],
  ['## Unreleased\n\nNew.\n\n## 0.2.0 (2026-11-30)\n\nOld.\n', 'already has version 0.2.0'],
])('a changelog that cannot be released is refused: %j', (changelog, reason) => {
  expect(() => releaseNotes(changelog, release)).toThrow(reason)
})
