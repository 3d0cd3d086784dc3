import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file makes a program fail with its text, or hang with children that hold its output, one of them in another session. */
const faults = (name: string) => `
echo "${name} $*" >> "$0.calls"
if [ -f "$0.hang" ]; then setsid sleep 1000 & echo $! > "$0.apart"; sleep 1000 & wait; fi
if [ -f "$0.fail" ]; then cat "$0.fail" >&2; exit 1; fi
`

const squeue = `#!/bin/sh
${faults('squeue')}
cat "$(dirname "$0")/jobs"
`

const sbatch = `#!/bin/sh
${faults('sbatch')}
cat > "$0.script"
env > "$0.environment"
for option; do
  case $option in
    --job-name=*) name=\${option#*=} ;;
    --array=1-*) count=\${option##*-} ;;
  esac
done
if [ "$count" -gt "$(cat "$0.most" 2>/dev/null || echo 1000)" ]; then
  echo "sbatch: error: QOSMaxSubmitJobPerUserLimit" >&2
  exit 1
fi
id=$(( $(cat "$0.last" 2>/dev/null || echo 100) + 1 ))
echo $id > "$0.last"
for task in $(seq "$count"); do echo "\${id}_$task|$name|PENDING|Priority|" >> "$(dirname "$0")/jobs"; done
echo "$id;cluster"
`

/** Programs named `squeue` and `sbatch` that behave as a test asks. */
export async function makeFakeSlurm() {
  const folder = await mkdtemp(join(tmpdir(), 'assay-fake-slurm-'))
  const put = (name: string, text: string) => writeFile(join(folder, name), text)
  for (const [name, text] of Object.entries({ squeue, sbatch })) {
    await put(name, text)
    await chmod(join(folder, name), 0o755)
  }
  await put('jobs', '')
  const read = (name: string) => readFile(join(folder, name), 'utf8')
  return {
    environment: {
      PATH: `${folder}:${process.env['PATH']}`,
      SQUEUE_PARTITION: 'other',
      DATABASE_URL: 'postgres://secret',
    },
    /** Lines of `id|name|state|reason|nodes`. */
    setJobs: (...lines: string[]) => put('jobs', lines.map((line) => `${line}\n`).join('')),
    fail: (program: 'squeue' | 'sbatch', message: string) => put(`${program}.fail`, message),
    hang: (program: 'squeue' | 'sbatch') => put(`${program}.hang`, ''),
    acceptAtMost: (count: number) => put('sbatch.most', String(count)),
    mend: (program: 'squeue' | 'sbatch') => rm(join(folder, `${program}.fail`), { force: true }),
    /** The command lines so far. */
    calls: async (program: 'squeue' | 'sbatch') =>
      existsSync(join(folder, `${program}.calls`)) ? (await read(`${program}.calls`)).trim().split('\n') : [],
    script: () => read('sbatch.script'),
    submittedEnvironment: () => read('sbatch.environment'),
    async remove() {
      const apart = await read('squeue.apart').catch(() => null)
      if (apart) process.kill(Number(apart), 'SIGKILL')
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
