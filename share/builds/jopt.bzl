"""jopt_jar: a jar with probes, one action for each."""

def _jopt_jar(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".jar")
    args = ctx.actions.args()
    args.add_all(ctx.files.probes, format_each = "-probes=%s")
    args.add_all(ctx.attr.options)
    args.add(ctx.file.jar)
    args.add("-o", out)
    ctx.actions.run(
        executable = ctx.executable.jopt,
        arguments = [args],
        inputs = [ctx.file.jar] + ctx.files.probes,
        outputs = [out],
        mnemonic = "Jopt",
        progress_message = "Weaving %s" % ctx.label,
        use_default_shell_env = True,  # javac is on PATH
    )
    return [DefaultInfo(files = depset([out])), JavaInfo(output_jar = out, compile_jar = out)]

jopt_jar = rule(
    implementation = _jopt_jar,
    attrs = {
        "jar": attr.label(allow_single_file = [".jar"], mandatory = True),
        "probes": attr.label_list(allow_files = True),
        "options": attr.string_list(),
        "jopt": attr.label(default = "//tools:jopt", executable = True, cfg = "host", allow_single_file = True),
    },
)
