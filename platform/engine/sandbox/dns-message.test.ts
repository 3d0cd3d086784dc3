import { describe, expect, test } from 'vitest'

import { answerTo, readQuestion, typeA } from './dns-message.ts'

const label = (text: string) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text, 'latin1')])

type Parts = { flags?: number; questions?: number; labels?: string[]; type?: number; klass?: number; after?: Buffer }

function query(parts: Parts = {}) {
  const { flags = 0x0120, questions = 1, labels = ['db', 'example'], type = typeA, klass = 1, after } = parts
  const header = Buffer.alloc(12)
  header.writeUInt16BE(0xabcd, 0)
  header.writeUInt16BE(flags, 2)
  header.writeUInt16BE(questions, 4)
  header.writeUInt16BE(after ? 1 : 0, 10)
  const end = Buffer.alloc(5)
  end.writeUInt16BE(type, 1)
  end.writeUInt16BE(klass, 3)
  return Buffer.concat([header, ...labels.map(label), end, after ?? Buffer.alloc(0)])
}

/** The EDNS record that most resolvers add. */
const edns = Buffer.from('0000290580000000000000', 'hex')

const read = (packet: Buffer) => {
  const question = readQuestion(packet)
  if (!question) throw new Error('It is no question')
  return question
}

describe('a question', () => {
  test('has its name in lower case, whatever case a resolver mixes in', () => {
    expect(readQuestion(query({ labels: ['Db', 'eXample'], after: edns }))).toMatchObject({
      name: 'db.example',
      type: 1,
    })
  })

  test('shows bytes that no host name has, so that no two names look alike', () => {
    const names = [
      ['a.b', 'example'],
      ['a', 'b', 'example'],
      ['\0', 'x'],
      ['é\n', 'x'],
      ['a\\046b', 'example'],
    ]
    expect(names.map((labels) => read(query({ labels })).name)).toEqual([
      'a\\046b.example',
      'a.b.example',
      '\\000.x',
      '\\233\\010.x',
      'a\\092046b.example',
    ])
  })

  test.each([
    ['an empty packet', Buffer.alloc(0)],
    ['a header alone', query().subarray(0, 12)],
    ['a name that does not end', query().subarray(0, 18)],
    ['a name without a type', query().subarray(0, -3)],
    ['a label longer than the packet', Buffer.concat([query().subarray(0, 12), Buffer.from([60, 1, 2, 3, 4, 5, 6])])],
    ['a pointer to itself', Buffer.concat([query().subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])])],
    ['a name of more than 255 bytes', query({ labels: Array.from({ length: 5 }, () => 'x'.repeat(63)) })],
    ['the root', query({ labels: [] })],
    ['an answer', query({ flags: 0x8180 })],
    ['another operation', query({ flags: 0x2800 })],
    ['no question', query({ questions: 0 })],
    ['two questions', query({ questions: 2 })],
    ['another class', query({ klass: 3 })],
  ])('is not read from %s', (_, packet) => {
    expect(readQuestion(packet)).toBeNull()
  })

  test('is never read beyond its packet, whatever its bytes are', () => {
    const packet = query({ after: edns })
    for (let at = 0; at < packet.length; at += 1)
      for (const value of [0, 1, 63, 64, 192, 255]) {
        const changed = Buffer.from(packet)
        changed[at] = value
        const question = readQuestion(changed.subarray(0, packet.length - (value % 7)))
        if (question) expect(answerTo(question, { status: 'unknown' }).length).toBe(question.bytes.length)
      }
  })
})

describe('an answer', () => {
  test('repeats the number and the question as they were asked, and has one address', () => {
    const asked = query({ labels: ['Db', 'eXample'], after: edns })
    const answer = answerTo(read(asked), { status: 'found', address: '127.64.0.2' })
    const question = asked.subarray(12, asked.length - edns.length).toString('hex')
    expect(answer.toString('hex')).toBe(`abcd81800001000100000000${question}c00c000100010000003c00047f400002`)
  })

  test.each([
    ['found', '8180'],
    ['failed', '8182'],
    ['unknown', '8183'],
  ] as const)('without an address says %s in its status', (status, flags) => {
    const answer = answerTo(read(query()), { status })
    expect(answer.toString('hex').slice(4, 24)).toBe(`${flags}0001000000000000`)
    expect(answer.subarray(12)).toEqual(query().subarray(12))
  })

  test('does not claim that recursion was asked for', () => {
    expect(answerTo(read(query({ flags: 0 })), { status: 'found' }).readUInt16BE(2)).toBe(0x8080)
  })
})
