import type { HostTraffic } from '#contract/network.ts'
import { bytes, count } from '#src/format/numbers.ts'
import type { Column } from '#src/ui/table/column.ts'
import classes from './NetworkView.module.css'
import { hostAndPort } from './host-and-port.ts'

const Refusals = ({ host: { refusals, refusedBecause } }: { host: HostTraffic }) =>
  refusals === 0 ? (
    count(0)
  ) : (
    <>
      <span className={classes.refused}>{count(refusals)}</span> <span className={classes.why}>{refusedBecause}</span>
    </>
  )

export const networkColumns: Column<HostTraffic>[] = [
  {
    id: 'host',
    header: 'Host',
    cell: (host) => <bdi className={classes.host}>{hostAndPort(host)}</bdi>,
    value: hostAndPort,
  },
  {
    id: 'refusals',
    header: 'Refused or failed',
    cell: (host) => <Refusals host={host} />,
    value: ({ refusals }) => refusals,
  },
  {
    id: 'connections',
    header: 'Connections',
    width: '108px',
    align: 'right',
    from: 'sm',
    cell: ({ connections }) => count(connections),
    value: ({ connections }) => connections,
  },
  {
    id: 'sent',
    header: 'Sent',
    width: '88px',
    align: 'right',
    from: 'sm',
    cell: ({ bytesUp }) => bytes(bytesUp),
    value: ({ bytesUp }) => bytesUp,
  },
  {
    id: 'received',
    header: 'Received',
    width: '88px',
    align: 'right',
    from: 'sm',
    cell: ({ bytesDown }) => bytes(bytesDown),
    value: ({ bytesDown }) => bytesDown,
  },
]
