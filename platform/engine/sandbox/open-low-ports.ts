import { runToEnd } from '#platform/ground/processes/run-to-end.ts'

const script = 'echo 0 > /proc/sys/net/ipv4/ip_unprivileged_port_start'

/**
 * Lets every program in the network that `enter` enters listen on ports below 1024, as containers may: no command has the
 * capability for it. Throws an Error with the reason.
 */
export async function openLowPorts(enter: readonly string[]) {
  const [command = '', ...args] = [...enter, '--', 'sh', '-c', script]
  await runToEnd(command, args, { timeoutMs: 20_000 })
}
