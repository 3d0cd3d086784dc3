/** Keeps a container until it is killed: `node container-process.ts <socket> <image> <folder> <seconds>`. */
import { join } from 'node:path'

import { engineClient } from '#platform/engine/containers/engine/engine-client.ts'
import { startContainer } from '#platform/engine/containers/start-container.ts'

const [socketPath = '', image = '', folder = '', seconds = ''] = process.argv.slice(2)
const container = await startContainer(
  engineClient(socketPath),
  {
    image,
    user: { uid: 0, gid: 0 },
    labels: {},
    seconds: Number(seconds),
    folder,
    mounts: [{ source: join(folder, 'workspace'), target: '/workspace' }],
    limits: { memoryMb: 0, processes: 0, diskMb: 0, cpus: 0, openFiles: null, userProcesses: null },
    filter: JSON.stringify({
      defaultAction: 'SCMP_ACT_ALLOW',
      syscalls: [{ names: ['bpf'], action: 'SCMP_ACT_ERRNO' }],
    }),
  },
  new AbortController().signal,
)
process.stdout.write(container.id)
setInterval(() => {}, 1000)
