// Preloaded into every child, because a starter that dies without a word (kill -9) cannot stop anything any more.
const starter = Number(process.env.ASSAY_STARTER_PID)

if (process.ppid === starter && process.channel) {
  // The channel goes down with the starter. Children of our children have channels of their own and are left alone.
  process.channel.unref()
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
} else if (process.env.WATCH_REPORT_DEPENDENCIES) {
  // Under `node --watch` the parent is the watcher, which would outlive us: it is the one to end.
  const watching = setInterval(() => {
    if (isAlive(starter)) return
    clearInterval(watching)
    process.kill(process.ppid, 'SIGTERM')
  }, 1000)
  watching.unref()
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
