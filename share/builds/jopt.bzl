"""jopt_jar: a jar with probes, one action for each. jopt_probes: probe files, compiled once for all of them."""

def _run(ctx, out, inputs, args, message):
    ctx.actions.run(
        executable = ctx.executable.jopt,
        arguments = [args],
        inputs = inputs,
        outputs = [out],
        mnemonic = "Jopt",
        progress_message = message + " %s" % ctx.label,
        use_default_shell_env = True,  # javac is on PATH
    )

def _probe_args(ctx):
    args = ctx.actions.args()
    args.add_all(ctx.files.probes, format_each = "-probes=%s")
    args.add_all(ctx.attr.options)
    return args

def _jopt_probes(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".jar")
    args = _probe_args(ctx)
    args.add(out, format = "-emit-bundle=%s")
    _run(ctx, out, ctx.files.probes, args, "Compiling probes")
    return [DefaultInfo(files = depset([out]))]

def _jopt_jar(ctx):
    out = ctx.actions.declare_file(ctx.label.name + ".jar")
    args = _probe_args(ctx)
    args.add(ctx.file.jar)
    args.add("-o", out)
    _run(ctx, out, [ctx.file.jar] + ctx.files.probes, args, "Weaving")
    return [DefaultInfo(files = depset([out])), JavaInfo(output_jar = out, compile_jar = out)]

_attrs = {
    "probes": attr.label_list(allow_files = True),
    "options": attr.string_list(),
    "jopt": attr.label(default = "//tools:jopt", executable = True, cfg = "host", allow_single_file = True),
}

jopt_probes = rule(
    implementation = _jopt_probes,
    attrs = _attrs,
)

jopt_jar = rule(
    implementation = _jopt_jar,
    attrs = dict(_attrs, jar = attr.label(allow_single_file = [".jar"], mandatory = True)),
)
