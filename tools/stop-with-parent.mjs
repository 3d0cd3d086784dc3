// Preloaded into every child, because a parent killed by kill -9 cannot stop its children.
const starter = Number(process.env.ASSAY_STARTER_PID)

if (process.ppid === starter && process.channel) {
  // The channel closes when the parent ends. Children of our children have their own channels and are not affected.
  process.channel.unref()
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
} else if (process.env.WATCH_REPORT_DEPENDENCIES) {
  // Under `node --watch` the parent is the watcher, which would survive, so it is ended instead.
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
