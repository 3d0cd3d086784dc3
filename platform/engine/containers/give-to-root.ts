import { runToEnd } from '#platform/ground/processes/run-to-end.ts'

/**
 * Gives every file of a folder to root, without following links or entering what is mounted in it. No process of a run
 * may be alive meanwhile.
 */
export async function giveToRoot(folder: string, signal?: AbortSignal) {
  const others = ['(', '!', '-uid', '0', '-o', '!', '-gid', '0', ')']
  const give = ['-exec', 'chown', '-h', '--', '0:0', '{}', '+']
  await runToEnd('find', [`${folder}/`, '-xdev', ...others, ...give], { signal })
}
