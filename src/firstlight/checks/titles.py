"""What the rungs claim and why they fail, in words."""

from __future__ import annotations

from ..words import Words

TITLES: dict[str, Words] = {
    "device-node": Words("device nodes are there", "设备节点存在"),
    "access": Words("this process may open the device nodes", "当前进程有权打开设备节点"),
    "kernel-driver": Words("the kernel driver is loaded", "内核驱动已加载"),
    "runtime": Words("the user-space runtime is there", "用户态运行时库存在"),
    "import": Words("torch can be imported", "可以导入 torch"),
    "device-visible": Words("torch sees the device", "torch 能看到设备"),
    "code-for-chip": Words("torch has code for this chip", "torch 包含适用于该芯片的代码"),
    "first-kernel": Words("a first kernel gives the right result", "第一个 kernel 结果正确"),
    "matmul": Words("matrix products are right", "矩阵乘法结果正确"),
    "convolution": Words("convolutions are right, forward and backward", "卷积的前向与反向结果正确"),
    "attention": Words("attention is right, forward and backward", "注意力的前向与反向结果正确"),
    "training-step": Words("a short training follows its reference", "短训练与参考曲线一致"),
    "checkpoint": Words("a training can be saved and resumed", "训练可以保存并恢复"),
    "memory": Words("free memory can really be used", "空闲内存确实可用"),
    "collectives": Words("all GPUs work together", "多 GPU 集合通信正常"),
    "own-command": Words("your own command", "你自己的命令"),
}
"""For each rung its claim."""

REASONS: dict[str, Words] = {
    "after-failure": Words("a rung that it needs failed", "它所依赖的检查失败了"),
    "bound-elsewhere": Words("another driver holds the device", "设备被其他驱动占用"),
    "crashed": Words("the process crashed", "进程崩溃"),
    "driver-mismatch": Words("library and kernel driver differ in version", "库与内核驱动版本不一致"),
    "exception": Words("an error was raised", "抛出异常"),
    "exit-code": Words("ended with an exit code other than 0", "退出码不为 0"),
    "fewer-devices": Words("torch sees fewer devices than the machine has", "torch 看到的设备少于机器实际拥有的设备"),
    "import-error": Words("torch is installed but cannot be loaded", "torch 已安装但无法加载"),
    "killed": Words("the process was killed", "进程被杀死"),
    "loss-does-not-fall": Words("the loss does not fall", "损失没有下降"),
    "no-collectives": Words("this torch is built without collectives", "该 torch 构建时未包含集合通信"),
    "no-answer": Words("the process ended without an answer", "进程结束但没有给出结果"),
    "no-arch-list": Words("this torch does not tell for which chips it was built", "该 torch 没有说明为哪些芯片构建"),
    "no-code": Words("this torch has no code for the chip", "该 torch 不含适用于该芯片的代码"),
    "no-device": Words("torch sees no device", "torch 看不到任何设备"),
    "no-device-node": Words("a device node is missing", "缺少设备节点"),
    "no-driver": Words("the kernel driver is not loaded", "内核驱动未加载"),
    "no-facts": Words("nothing is known of the machine", "没有机器信息"),
    "no-python": Words("the environment's Python cannot be started", "无法启动环境中的 Python"),
    "no-runtime": Words("the driver's library was not found", "找不到驱动的用户态库"),
    "no-torch": Words("torch is not installed", "未安装 torch"),
    "none-given": Words("no command was given", "没有给出命令"),
    "not-executable": Words("the command may not be executed", "命令无法执行"),
    "not-found": Words("the command was not found", "找不到命令"),
    "not-known": Words("not known of this machine", "无法得知该机器的相关信息"),
    "not-torch": Words("something else is called torch", "名为 torch 的并不是 PyTorch"),
    "one-device": Words("there is only one device", "只有一个设备"),
    "out-of-memory": Words(
        "memory was refused, or the process was killed for it", "内存不足：分配被拒绝或进程因此被杀死"
    ),
    "permission": Words("no permission", "没有权限"),
    "taken-meanwhile": Words("others took the memory meanwhile", "期间内存被其他进程占用"),
    "timeout": Words("took longer than its limit", "超出时间限制"),
    "too-little-free": Words("too little memory is free to try", "空闲内存太少，无法尝试"),
    "wrong-build": Words("torch is built for another backend", "torch 是为其他后端构建的"),
    "wrong-numbers": Words("wrong numbers", "数值错误"),
}
"""For each reason of a fail, skip, or unknown."""
