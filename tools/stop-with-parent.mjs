// Preloaded into every child: a parent that dies without a word (kill -9) takes the channel down with it.
if (process.channel) {
  process.channel.unref()
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
}
