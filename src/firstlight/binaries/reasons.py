"""Sentences about code and targets."""

from __future__ import annotations

from ..words import Words

NATIVE = Words("has code for {target}", "含有 {target} 的代码")
NATIVE_BY = Words("its code for {code} runs on {target}", "其 {code} 代码可在 {target} 上运行")
ONLY_MODES = Words(
    "has code only for {code}: it runs where the GPU is in that mode",
    "只含 {code} 的代码：仅当 GPU 处于该模式时才能运行",
)
GENERIC = Words("has generic code for its family: {code}", "含有其家族的通用代码：{code}")
NO_CODE = Words("has no code for {target}; it has {has}", "没有 {target} 的代码；现有 {has}")
NOTHING = Words("has no code for {target}", "没有 {target} 的代码")
NO_INDEX = Words(
    "has code for {target}, but no index file (TensileLibrary ... .dat) for it, so that its kernels are never found",
    "含有 {target} 的代码，但没有它的索引文件（TensileLibrary ... .dat），因此找不到其 kernel",
)
ELSEWHERE = Words(
    "its code lies in another file, {archive}, which is not here", "其代码在另一个文件 {archive} 中，这里没有"
)
BY_PTX = Words(
    "has PTX ({code}) of CUDA {cuda}: the driver compiles it at the first use, from {least} on",
    "含有 CUDA {cuda} 的 PTX（{code}）：首次使用时由驱动编译，需要驱动 {least} 或更新",
)
BY_NEWER_DRIVER = Words(
    "has PTX ({code}) of CUDA {cuda}: the driver compiles it at the first use; one older than {least} cannot",
    "含有 CUDA {cuda} 的 PTX（{code}）：首次使用时由驱动编译，早于 {least} 的驱动不行",
)
BY_SOME_DRIVER = Words(
    "has PTX ({code}), which the driver compiles at the first use; which driver that takes is not known",
    "含有 PTX（{code}），首次使用时由驱动编译；所需的驱动版本未知",
)
OLD_DRIVER = Words(
    "has only PTX ({code}) of CUDA {cuda}: driver {driver} is too old to compile it, {least} is needed",
    "只含 CUDA {cuda} 的 PTX（{code}）：驱动 {driver} 太旧，无法编译，需要 {least}",
)
UNLISTED = Words(
    "keeps its kernels in its own data, where no tool lists them, so that it is not judged",
    "其 kernel 存放在自身数据中，没有工具能列出，因此不作判断",
)
DAMAGED = Words("could not be read whole: {where}: {detail}", "未能完整读取：{where}：{detail}")

NO_GPU_CODE = Words("none of the files holds GPU code", "这些文件都不含 GPU 代码")
OTHER_VENDOR = Words(
    "the files hold code only for GPUs of the other vendor, none for {target}",
    "这些文件只含另一厂商 GPU 的代码，没有 {target} 的代码",
)
NOT_ALL_READ = Words("a part of the files could not be read", "有部分文件无法读取")
WHOLE = Words("all {count} libraries with GPU code run on {target}", "含 GPU 代码的 {count} 个库都能在 {target} 上运行")
SOME_GENERIC = Words(", {count} of them by generic code", "，其中 {count} 个靠通用代码")
OPTIONAL = Words(
    "; {count} more do not decide: they can be done without, others take their place, or they cannot be judged",
    "；另有 {count} 个不影响结论：可有可无、由其他库代替，或无法判断",
)
SOME_LACK = Words(
    "{count} of {all} libraries with GPU code stand in the way", "含 GPU 代码的 {all} 个库中有 {count} 个不行"
)
SOME_UNREAD = Words("{count} of {all} libraries cannot be judged", "{all} 个库中有 {count} 个无法判断")
SOME_PTX = Words(
    "{count} of {all} libraries run only by just-in-time compilation", "{all} 个库中有 {count} 个只能靠即时编译"
)


def told(head: Words, *rest: Words) -> Words:
    """`head: rest: rest`"""
    return Words(": ".join(one.en for one in (head, *rest)), "：".join(one.zh for one in (head, *rest)))
