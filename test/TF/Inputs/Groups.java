import java.lang.annotation.*;
import jopt.tf.annotation.*;

@MethodMonitorGroup({Read.class, Write.class})
@Retention(RetentionPolicy.RUNTIME)
@interface ReadWrite {}

@MethodMonitorGroup(description = "Reading")
@Retention(RetentionPolicy.RUNTIME)
@interface Read {}

@MethodMonitorGroup
@Retention(RetentionPolicy.RUNTIME)
@interface Write {}
