import { expect, test } from 'vitest'

import { exitCodeInWords } from './exit-codes.ts'

test('an exit code that means a signal or has a usual meaning is explained', () => {
  expect([0, 1, 2, 3, 124, 126, 127, 134, 137, 139, 143, 177, 255].map(exitCodeInWords)).toEqual([
    'code 0',
    'code 1',
    'code 2',
    'code 3',
    'code 124 (time limit reached, as the command timeout reports it)',
    'code 126 (found but not executable)',
    'code 127 (command not found)',
    'code 134 (signal 6, SIGABRT, aborted itself)',
    'code 137 (signal 9, SIGKILL, killed: out of memory or by another process)',
    'code 139 (signal 11, SIGSEGV, a segmentation fault)',
    'code 143 (signal 15, SIGTERM, asked to end)',
    'code 177 (signal 49)',
    'code 255',
  ])
})
