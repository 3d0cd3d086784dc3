import { readInside } from '#platform/engine/workspace/workspace-path.ts'
import { RunFailure } from '#platform/queue/run-queue/run-failure.ts'
import { realPathInside } from './inside-root.ts'

export type ImageUser = { uid: number; gid: number; home: string }

const maxListBytes = 1024 * 1024
/** The largest id that a user namespace can have. */
const maxId = 2 ** 32 - 2

/** Finds the user whom an image names as `user`, `user:group`, or by numbers, in the image's own list of users. */
export async function findImageUser(root: string, wanted: string): Promise<ImageUser> {
  const [userText = '', groupText] = wanted.split(':')
  const users = await readTable(root, '/etc/passwd')
  const user = users.find(([name, , uid]) => name === (userText || 'root') || uid === userText)
  const uid = toId(user?.[2] ?? (userText || '0'))
  if (uid === null) throw new RunFailure(`it runs as the user ${userText}, who is not in its /etc/passwd`)
  const groups = groupText === undefined ? [] : await readTable(root, '/etc/group')
  const group = groups.find(([name]) => name === groupText)
  const gid = toId(group?.[2] ?? groupText ?? user?.[3] ?? '0')
  if (gid === null) throw new RunFailure(`it runs as the group ${groupText}, which is not in its /etc/group`)
  return { uid, gid, home: user?.[5] || '/' }
}

const toId = (text: string) => (/^\d{1,10}$/.test(text) && Number(text) <= maxId ? Number(text) : null)

/** The lines of a list of users or groups. An image without the list has no names. */
async function readTable(root: string, path: string) {
  const real = await realPathInside(root, path)
  const text = real === null ? '' : await readInside(root, real, maxListBytes).catch(() => '')
  return text.split('\n').map((line) => line.split(':'))
}
